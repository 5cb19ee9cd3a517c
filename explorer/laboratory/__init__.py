"""The laboratory: training, experiments, systems compared, and search by structure."""

"""Work on a cluster of machines by dask.distributed: the only room that knows of it, and an extra to install."""

"""Parses held against gold trees and against the training: measures, verdicts, errors, systems, evidence, the model
browser.
"""

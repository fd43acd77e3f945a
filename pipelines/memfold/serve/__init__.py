"""Answering probes over HTTP on this machine: the values on the wire, the app, and Ray Serve around it."""

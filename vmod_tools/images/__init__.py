"""The images of a module: which are used, missing, no images at all, or there twice."""

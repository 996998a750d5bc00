"""One end-to-end suite against any cluster, and the local stack it runs on. It never ships in an image."""

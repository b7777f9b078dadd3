"""The HTTP API: thin views over service.check and service.judge."""

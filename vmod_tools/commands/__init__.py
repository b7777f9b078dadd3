"""The command tree of saves and logs, and the fields of its commands."""

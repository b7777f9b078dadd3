"""A report in its forms: data for JSON, and text in both languages."""

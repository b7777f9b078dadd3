"""The JSON shapes of the service: situations and actions in, rulings and reports out."""

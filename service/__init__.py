"""Games, rules and rulings on VASSAL logs; the HTTP API and the `arbiter` command."""

"""Typed values: what the tokens of VASSAL's lists say, byte for byte both ways.

`codec.decode_value` and `codec.encode_value` take a kind's letter code (traits.toml lists them).
"""

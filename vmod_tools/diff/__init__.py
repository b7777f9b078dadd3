"""What differs between two VASSAL files, and the stable text of one."""

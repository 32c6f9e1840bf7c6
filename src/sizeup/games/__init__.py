"""Everything that can be played: one contract, one module for each game, rules only."""

"""The local web app: play with a partner that sizes you up, watch, replay, read results."""

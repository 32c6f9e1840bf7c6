"""The key that cookies are signed with: private, lasting, made anew if others could read it."""

import os
import stat

import pytest

from sizeup.errors import InvalidInput
from sizeup.web.guard import Keeper, key_in, state_folder


def test_the_key_is_private_and_the_same_next_time(tmp_path):
    folder = tmp_path / "deep" / "state"
    key = key_in(folder)
    assert len(key) == 32
    assert key_in(folder) == key
    assert stat.S_IMODE((folder / "web.key").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert os.listdir(folder) == ["web.key"]


def test_a_new_key_ends_every_cookie_of_the_old_one(tmp_path):
    cookie = Keeper(key_in(tmp_path), 1).cookie()
    assert Keeper(key_in(tmp_path), 1).visitor(cookie) is not None
    assert Keeper(key_in(tmp_path, anew=True), 1).visitor(cookie) is None
    assert Keeper(key_in(tmp_path), 1).visitor(cookie) is None  # and it stays so


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604])
def test_a_key_that_others_could_read_is_replaced(tmp_path, mode):
    key = key_in(tmp_path)
    (tmp_path / "web.key").chmod(mode)
    assert key_in(tmp_path) != key
    assert stat.S_IMODE((tmp_path / "web.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_half_a_key_is_replaced(tmp_path, content):
    (tmp_path / "web.key").write_bytes(content)
    (tmp_path / "web.key").chmod(0o600)
    (tmp_path / f"web.key.{os.getpid()}").write_bytes(b"left behind by somebody who was killed")
    key = key_in(tmp_path)
    assert (len(key), key_in(tmp_path)) == (32, key)


def test_a_link_in_the_key_s_place_is_not_followed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"x" * 32)
    elsewhere.chmod(0o600)
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / "web.key").symlink_to(elsewhere)
    with pytest.raises(InvalidInput, match="set XDG_STATE_HOME"):
        key_in(folder)


def test_a_folder_that_cannot_be_had_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match=r"cannot store the web app's key .* XDG_STATE_HOME"):
        key_in(tmp_path / "file")


def test_state_goes_where_the_user_wants_it(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "sizeup"
    monkeypatch.setenv("HOME", str(tmp_path))
    for unset in ("", "relative"):
        monkeypatch.setenv("XDG_STATE_HOME", unset)
        assert state_folder() == tmp_path / ".local" / "state" / "sizeup"


def test_tokens_are_long_and_never_the_same():
    tokens = {Keeper(b"", 1).token for _ in range(10)}
    assert len(tokens) == 10
    assert min(map(len, tokens)) >= 32

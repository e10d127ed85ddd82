# Sourced by ./run and ./test: installs what is missing, builds a preset. Says what it does before it does it.

say() { printf '%s\n' "$*" >&2; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# install_missing PACKAGE_FILE
install_missing() {
  local missing=() package
  if ! command -v dpkg-query >/dev/null; then
    say "spillway: this is no Debian system; the packages of cmake/debian-packages.txt must be there under whatever names they have here"
    return 0
  fi
  while read -r package _; do
    case "$package" in '' | '#'*) continue ;; esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done <"$1"
  [ ${#missing[@]} = 0 ] && return 0
  say "spillway: installing through apt: ${missing[*]}"
  as_root apt-get update -qq || say "spillway: apt-get update failed; trying with the lists that are there"
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2; then
    say "spillway: apt could not install them. Install these by hand and start again: ${missing[*]}"
    return 1
  fi
}

# build_preset PRESET [TARGET...]: quiet when it works, the whole log when it does not.
build_preset() {
  local preset=$1 log
  shift
  log=$(mktemp)
  say "spillway: building ($preset) …"
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" ${1:+--target "$@"}; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    say "spillway: the build failed; its log is above"
    return 1
  fi
  rm -f "$log"
}

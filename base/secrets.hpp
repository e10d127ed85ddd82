#pragma once

#include <string>
#include <string_view>

namespace spillway {

/// What stands for a secret that is not shown.
inline constexpr std::string_view kMask = "***";

/// Whether a key, an option or a variable names something that must not be shown: its last part is, or ends in `_` and, one of api_key,
/// apikey, access_key, secret_key, private_key, token, secret, password, passwd, passphrase, credential(s), authorization. Case and `-`/`_`
/// do not count. Counts and settings about tokens (`max_tokens`, `tokenizer_model`, `token_dispatcher`, `pad_token`, `rl_skip_bos_token`)
/// are no secrets.
bool names_secret(std::string_view name);

/// A text in any of the forms that are read (YAML, JSON, command lines, shell, Python, messages about them) with its secrets overwritten by
/// as many `*`, so that lines and columns stay: what is given to a name that names_secret(), what follows `Bearer`, access keys known by
/// their beginning (`hf_…`, `nvapi-…`, `ghp_…`, `glpat-…`), and the password of a URL. References such as `$HF_TOKEN` stay.
/// Cost: linear.
std::string masked(std::string_view text);

}  // namespace spillway

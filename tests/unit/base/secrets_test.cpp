#include "base/secrets.hpp"

#include <algorithm>

namespace spillway {
namespace {

TEST(Secrets, AreKnownByTheLastPartOfTheirName) {
  for (const auto* name : {"--wandb-api-key", "hf_token", "WANDB_API_KEY", "logger.comet_api_key", "env.HF_TOKEN", "password", "apikey",
                           "AWS_SECRET_ACCESS_KEY", "Token", "db_passwd", "credential", "client-secret"})
    EXPECT_TRUE(names_secret(name)) << name;
  for (const auto* name :
       {"max_tokens", "num_speculative_tokens", "tokenizer_model", "tokenizer.special_tokens", "moe_token_dispatcher_type",
        "token_dispatcher", "--rl-skip-bos-token", "fim_eod_token", "secretary", "key", "num_layers", "--disable-vision-class-token"})
    EXPECT_FALSE(names_secret(name)) << name;
}

struct Written {
  std::string text, masked;
};

TEST(Secrets, AreMaskedInEveryFormAndNothingElseMoves) {
  const std::vector<Written> cases = {
      {"export WANDB_API_KEY=abcdef; export X=1", "export WANDB_API_KEY=******; export X=1"},
      {"KEY=1 HF_TOKEN=\"a b\" python x.py", "KEY=1 HF_TOKEN=\"***\" python x.py"},
      {"--wandb-api-key ZZZ --lr 1 --hf-token=QQQ --bf16", "--wandb-api-key *** --lr 1 --hf-token=*** --bf16"},
      {"--password --bf16", "--password --bf16"},
      {"curl -H \"Authorization: Bearer abcdefghij\"", "curl -H \"Authorization: ******************"},
      {"use Bearer abcdefgh.ij now", "use Bearer *********** now"},
      {"https://user:pw@host/x git@host", "https://user:**@host/x git@host"},
      {"  comet_api_key: value # why", "  comet_api_key: ***** # why"},
      {"  {token: abc, n: 3}", "  {token: ***, n: 3}"},
      {"a:\n  password: |\n    one\n    two\n  x: y", "a:\n  password: |\n    ***\n    ***\n  x: y"},
      {"{\"api_key\": \"abc\", \"n\": 1}", "{\"api_key\": \"***\", \"n\": 1}"},
      {"os.environ[\"HF_TOKEN\"] = \"abc\"", "os.environ[\"HF_TOKEN\"] = \"***\""},
      {"cfg.logger.comet_api_key = 'abc'", "cfg.logger.comet_api_key = '***'"},
      {"x hf_abcdefghijklmnopqrst y", "x *********************** y"},
      {"HF_TOKEN=$HF_TOKEN HF_TOKEN=${HF_TOKEN}", "HF_TOKEN=$HF_TOKEN HF_TOKEN=${HF_TOKEN}"},
      {"max_tokens: 5 tokenizer_model=x", "max_tokens: 5 tokenizer_model=x"},
      {"token:", "token:"},
      {"token=", "token="},
      {"://", "://"},
  };
  for (const auto& given : cases) {
    EXPECT_EQ(masked(given.text), given.masked);
    EXPECT_EQ(masked(given.text).size(), given.text.size());
  }
}

TEST(Secrets, AreFoundInLinearTime) {
  for (const std::string part :
       {"token: \"", "{token: a, ", "://", "token: | ", "password='x ", "bearer ", "token=\\", "hf_", "token:\n"}) {
    std::string text;
    while (text.size() < (4u << 20)) text += part;
    EXPECT_EQ(masked(text).size(), text.size()) << part;
  }
}

}  // namespace
}  // namespace spillway

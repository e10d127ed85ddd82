#include "tools/config/tables/tables.hpp"

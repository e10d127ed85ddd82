#pragma once

#include "tools/config/value.hpp"
#include "tools/fields.hpp"

namespace spillway {

/// An object's members as data, in their order. A member without a value is absent.
config::Map encode(const Fields& fields);

/// The members that differ from those of a default object of the same type: what a person would have to state.
config::Map encode_stated(const Fields& fields, const Fields& defaults);

}  // namespace spillway

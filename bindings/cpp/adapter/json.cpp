#include "json.hpp"

namespace {

const Json nothing;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json value() {
    skip();
    switch (const char c = next(); c) {
      case '{':
        return object();
      case '[':
        return list();
      case '"':
        return Json(string());
      case 't':
        return word(3, Json(true));
      case 'f':
        return word(4, Json(false));
      case 'n':
        return word(3, Json());
      default:
        --at_;
        return number();
    }
  }

 private:
  char next() {
    if (at_ == text_.size()) throw Fault("JSON ends early");
    return text_[at_++];
  }
  void skip() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr) ++at_;
  }
  bool closes(char close) {
    skip();
    if (at_ < text_.size() && text_[at_] == ',') ++at_;
    skip();
    if (at_ >= text_.size() || text_[at_] != close) return false;
    ++at_;
    return true;
  }
  Json word(std::size_t rest, Json value) {
    at_ += rest;
    return value;
  }
  Json number() {
    const std::size_t start = at_;
    while (at_ < text_.size() && std::strchr("-+0123456789.eE", text_[at_]) != nullptr) ++at_;
    if (start == at_) throw Fault("no JSON");
    return Json(static_cast<std::int64_t>(std::stoll(std::string(text_.substr(start, at_ - start)))));
  }
  Json list() {
    Json found{std::vector<Json>()};
    while (!closes(']')) found.append(value());
    return found;
  }
  Json object() {
    Json found{};
    while (!closes('}')) {
      next();
      std::string key = string();
      skip();
      next();
      found.set(std::move(key), value());
    }
    return found;
  }
  std::uint32_t unit() {
    const auto code = std::stoul(std::string(text_.substr(at_, 4)), nullptr, 16);
    at_ += 4;
    return static_cast<std::uint32_t>(code);
  }
  static void put(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80U | (code >> shift & 63U)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0U | code >> 6U);
      tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0U | code >> 12U);
      tail(6);
      tail(0);
    } else {
      out += static_cast<char>(0xF0U | code >> 18U);
      tail(12);
      tail(6);
      tail(0);
    }
  }
  std::string string() {
    std::string out;
    for (char c = next(); c != '"'; c = next()) {
      if (c != '\\') {
        out += c;
        continue;
      }
      switch (c = next(); c) {
        case 'n':
          out += '\n';
          break;
        case 't':
          out += '\t';
          break;
        case 'r':
          out += '\r';
          break;
        case 'b':
          out += '\b';
          break;
        case 'f':
          out += '\f';
          break;
        case 'u': {
          std::uint32_t code = unit();
          if (code >= 0xD800 && code < 0xDC00) {
            at_ += 2;
            code = 0x10000 + ((code - 0xD800) << 10U) + (unit() - 0xDC00);
          }
          put(out, code);
          break;
        }
        default:
          out += c;
      }
    }
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void write_text(std::string& out, const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || code < 0x20) {
      out += "\\u00";
      out += digits[code >> 4U];
      out += digits[code & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

Json Json::parse(std::string_view text) { return Parser(text).value(); }

const Json& Json::operator[](std::string_view key) const {
  for (const auto& [name, value] : members_) {
    if (name == key) return value;
  }
  return nothing;
}

std::string Json::dump() const {
  std::string out;
  write(out);
  return out;
}

void Json::write(std::string& out) const {
  switch (kind_) {
    case Kind::null:
      out += "null";
      break;
    case Kind::truth:
      out += number_ != 0 ? "true" : "false";
      break;
    case Kind::number:
      out += std::to_string(number_);
      break;
    case Kind::text:
      write_text(out, text_);
      break;
    case Kind::list:
      out += '[';
      for (const Json& one : list_) {
        if (&one != list_.data()) out += ',';
        one.write(out);
      }
      out += ']';
      break;
    case Kind::object:
      out += '{';
      for (const auto& member : members_) {
        if (&member != members_.data()) out += ',';
        write_text(out, member.first);
        out += ':';
        member.second.write(out);
      }
      out += '}';
  }
}

double Json::real() const {
  const std::uint64_t bits = std::stoull(text(), nullptr, 16);
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::vector<std::uint8_t> Json::bytes() const {
  const std::string& digits = text();
  const auto digit = [&](std::size_t k) { return digits[k] >= 'a' ? digits[k] - 'a' + 10 : digits[k] - '0'; };
  std::vector<std::uint8_t> found(digits.size() / 2);
  for (std::size_t k = 0; k < found.size(); ++k) {
    found[k] = static_cast<std::uint8_t>(digit(2 * k) * 16 + digit(2 * k + 1));
  }
  return found;
}

Json hex(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string out;
  out.reserve(2 * size);
  for (std::size_t k = 0; k < size; ++k) {
    out += "0123456789abcdef"[bytes[k] >> 4U];
    out += "0123456789abcdef"[bytes[k] & 15U];
  }
  return Json(std::move(out));
}

Json real(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[bits >> shift & 15U];
  return Json(std::move(out));
}

#include "blocks/expression.hpp"

#include "blocks/function_table.hpp"
#include "blocks/limits.hpp"
#include "blocks/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace deltaflow {

namespace {

constexpr std::array<std::string_view, 6> comparisons{"<", "<=", ">", ">=", "==", "!="};

std::string shown(const Token& token) {
    return token.kind == Token::Kind::end ? "the end" : fmt::format("\"{}\"", token.text);
}

// Recursive descent: one function for each level of binding, loosest first.
class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) { token_ = read_token(text_, 0); }

    Expression parse() {
        if (at_end()) throw ExpressionError(0, 1, "the expression is empty");
        Expression e = disjunction();
        if (!at_end()) fail_after(e);
        return e;
    }

private:
    bool at_end() const { return token_.kind == Token::Kind::end; }

    [[noreturn]] void fail(const Token& at, const std::string& message) const {
        throw ExpressionError(at.offset, std::max(1u, at.length()), message);
    }

    // Something stands where an operator should.
    [[noreturn]] void fail_after(const Expression& e) const {
        if (token_.is(")")) fail(token_, "this parenthesis was never opened");
        if (token_.is(",")) fail(token_, "a comma may stand only between the arguments of a function");
        const std::string_view before = text_.substr(e.offset, e.length);
        if (e.kind == Expression::Kind::name && find_function(before))
            fail(token_, fmt::format("the argument of a function stands in parentheses: {}(...)", before));
        if (before.size() <= 20 && !token_.is("not"))
            fail(token_, fmt::format("an operator is missing between \"{}\" and {}; a product is written a*b",
                                     before, shown(token_)));
        fail(token_, fmt::format("an operator is missing before {}", shown(token_)));
    }

    Token take() {
        const Token token = token_;
        end_ = token.offset + token.length();
        token_ = read_token(text_, end_);
        return token;
    }

    bool accept(std::string_view symbol) {
        if (!token_.is(symbol)) return false;
        take();
        return true;
    }

    // A node of the tree that begins at `offset` and ends with the last token taken.
    Expression make(Expression::Kind kind, std::string_view text, std::uint32_t offset,
                    std::vector<Expression> arguments) {
        if (++size_ > limits::expression_size)
            throw ExpressionError(offset, 1, "the expression is too long; split it into several blocks");
        return {kind, std::string(text), std::move(arguments), offset, end_ - offset};
    }

    Expression binary(const Token& op, Expression left, Expression right) {
        const std::uint32_t offset = left.offset;
        std::vector<Expression> arguments;
        arguments.reserve(2);
        arguments.push_back(std::move(left));
        arguments.push_back(std::move(right));
        return make(Expression::Kind::operation, op.text, offset, std::move(arguments));
    }

    Expression unary(std::string_view name, std::uint32_t offset, Expression argument) {
        std::vector<Expression> arguments;
        arguments.push_back(std::move(argument));
        return make(Expression::Kind::operation, name, offset, std::move(arguments));
    }

    // next (op next)*, from left to right
    template <class Next>
    Expression chain(std::initializer_list<std::string_view> operators, Next next) {
        Expression e = next();
        const auto here = [&] {
            return std::any_of(operators.begin(), operators.end(), [&](auto op) { return token_.is(op); });
        };
        while (here()) {
            const Token op = take();
            e = binary(op, std::move(e), next());
        }
        return e;
    }

    Expression disjunction() {
        return chain({"or"}, [this] { return conjunction(); });
    }

    Expression conjunction() {
        return chain({"and"}, [this] { return negation(); });
    }

    Expression negation() {
        if (!token_.is("not")) return comparison();
        const Deeper deeper(*this);
        const std::uint32_t offset = take().offset;
        return unary("not", offset, negation());
    }

    bool at_comparison() const {
        return std::any_of(comparisons.begin(), comparisons.end(), [this](auto op) { return token_.is(op); });
    }

    Expression comparison() {
        Expression e = sum();
        if (!at_comparison()) return e;
        const Token op = take();
        e = binary(op, std::move(e), sum());
        if (at_comparison()) fail(token_, "comparisons do not chain; write a < b and b < c");
        return e;
    }

    Expression sum() {
        return chain({"+", "-"}, [this] { return term(); });
    }

    Expression term() {
        return chain({"*", "/"}, [this] { return factor(); });
    }

    // A sign binds less than ^ and more than *: -2^2 is -4.
    Expression factor() {
        const Deeper deeper(*this);
        if (accept("+")) return factor();
        if (!token_.is("-")) return power();
        const std::uint32_t offset = take().offset;
        return unary("neg", offset, factor());
    }

    // From right to left, and the exponent may have a sign: 2^-3^2 is 2^(-(3^2)).
    Expression power() {
        Expression e = atom();
        if (!token_.is("^")) return e;
        const Token op = take();
        return binary(op, std::move(e), factor());
    }

    Expression atom() {
        if (token_.is("(")) return parenthesis();
        if (token_.kind == Token::Kind::number) return number();
        if (token_.kind == Token::Kind::name) return name();
        if (at_end()) throw ExpressionError(end_ > 0 ? end_ - 1 : 0, 1, "the expression ends too early");
        fail(token_,
             fmt::format("unexpected {}; a number, a name or a parenthesis belongs here", shown(token_)));
    }

    Expression parenthesis() {
        const Token open = take();
        Expression e = disjunction();
        close(open, e);
        if (e.kind == Expression::Kind::operation) {  // errors point at the parentheses, too
            e.offset = open.offset;
            e.length = end_ - open.offset;
        }
        return e;
    }

    void close(const Token& open, const Expression& last) {
        if (accept(")")) return;
        if (at_end()) fail(open, "this parenthesis is never closed");
        if (token_.is(",")) fail(token_, "a comma may stand only between the arguments of a function");
        fail_after(last);
    }

    Expression number() {
        const Token token = take();
        return make(Expression::Kind::number, token.text, token.offset, {});
    }

    Expression name() {
        const Token token = take();
        if (!token_.is("(")) return make(Expression::Kind::name, token.text, token.offset, {});
        std::vector<Expression> arguments = list();
        return make(Expression::Kind::call, token.text, token.offset, std::move(arguments));
    }

    // (a, b, ...)
    std::vector<Expression> list() {
        const Token open = take();
        std::vector<Expression> arguments;
        if (accept(")")) return arguments;
        do arguments.push_back(disjunction());
        while (accept(","));
        close(open, arguments.back());
        return arguments;
    }

    // Counts how deep the recursion is.
    struct Deeper {
        explicit Deeper(Parser& p) : parser(p) {
            if (++parser.depth_ > limits::expression_depth)
                parser.fail(parser.token_,
                            fmt::format("more than {} levels within each other; split the expression",
                                        limits::expression_depth));
        }
        ~Deeper() { --parser.depth_; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;
        Parser& parser;
    };

    std::string_view text_;
    Token token_;
    std::uint32_t end_ = 0;  // of the last token taken
    int depth_ = 0, size_ = 0;
};

}  // namespace

Expression parse_expression(std::string_view text) { return Parser(text).parse(); }

}  // namespace deltaflow

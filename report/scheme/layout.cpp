// Runs dot, without a shell, and reads the positions that it gives.
#include "report/scheme/layout.hpp"

#include "app/files.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>
#include <thread>

extern char** environ;

namespace deltaflow::app::scheme {

namespace {

using Json = nlohmann::json;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr std::chrono::seconds patience{60};

[[noreturn]] void fail_without_dot() {
    throw OutputError(
        "a picture needs the program dot of Graphviz, which was not found; install it (apt install "
        "graphviz), "
        "or use --dot FILE, which works without");
}

// A file that nobody else sees and that is gone when it is closed.
File scratch() {
    File file(std::tmpfile(), std::fclose);
    if (!file) throw OutputError(fmt::format("no temporary file for dot: {}", std::strerror(errno)));
    return file;
}

// Files instead of pipes: neither side ever waits for the other.
pid_t start_dot(std::FILE* in, std::FILE* out) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string name = "dot", format = "-Tjson0";
    char* const arguments[] = {name.data(), format.data(), nullptr};
    pid_t process = 0;
    const int error = posix_spawnp(&process, "dot", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail_without_dot();
    return process;
}

// The status of a process that has ended; one that takes too long is ended.
int wait_for(pid_t process) {
    const auto begin = std::chrono::steady_clock::now();
    for (int status = 0;; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
        const pid_t ended = waitpid(process, &status, WNOHANG);
        if (ended == process) return status;
        if (ended < 0 && errno != EINTR) throw OutputError("dot got lost");
        if (std::chrono::steady_clock::now() - begin < patience) continue;
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
        throw OutputError(fmt::format(
            "dot did not finish within {} s; draw less with --most N, or use --dot FILE", patience.count()));
    }
}

std::string read_all(std::FILE* file) {
    std::string text;
    char buffer[1 << 14];
    std::rewind(file);
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
    return text;
}

std::string run_dot(const std::string& graph) {
    const File in = scratch(), out = scratch();
    if (std::fwrite(graph.data(), 1, graph.size(), in.get()) != graph.size() || std::fflush(in.get()) != 0)
        throw OutputError(fmt::format("no room for what dot should draw: {}", std::strerror(errno)));
    std::rewind(in.get());
    const int status = wait_for(start_dot(in.get(), out.get()));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) fail_without_dot();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw OutputError("dot could not draw this picture; --dot FILE writes what it was given");
    return read_all(out.get());
}

// "12.5,7 ..." as numbers.
std::vector<double> numbers(std::string text) {
    for (char& c : text)
        if (c == ',') c = ' ';
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    std::vector<double> result;
    for (double x = 0; stream >> x;) result.push_back(x);
    return result;
}

class Reader {
public:
    explicit Reader(const Picture& picture) : picture_(picture) {
        layout_.boxes.resize(picture.boxes.size());
        layout_.groups.resize(picture.groups.size());
        layout_.links.resize(picture.links.size());
        layout_.bonds.resize(picture.bonds.size());
    }

    Layout read(const Json& graph) {
        const std::vector<double> frame = numbers(graph.at("bb").get<std::string>());
        layout_.width = frame.at(2);
        layout_.height = frame.at(3);
        if (graph.contains("objects"))
            for (const Json& object : graph.at("objects")) read_object(object);
        if (graph.contains("edges"))
            for (const Json& edge : graph.at("edges"))
                if (edge.contains("id")) read_edge(edge);
        return std::move(layout_);
    }

private:
    // y grows upwards there.
    Point point(double x, double y) const { return {x, layout_.height - y}; }

    void read_object(const Json& object) {
        const std::string name = object.at("name").get<std::string>();
        if (name.rfind("cluster_", 0) == 0) {
            const std::vector<double> bb = numbers(object.at("bb").get<std::string>());
            const Point middle = point((bb.at(0) + bb.at(2)) / 2, (bb.at(1) + bb.at(3)) / 2);
            layout_.groups.at(std::stoul(name.substr(8))) = {middle.x, middle.y, bb[2] - bb[0],
                                                             bb[3] - bb[1]};
        } else if (name[0] == 'n' && object.contains("pos")) {
            const std::vector<double> at = numbers(object.at("pos").get<std::string>());
            const Point middle = point(at.at(0), at.at(1));
            layout_.boxes.at(std::stoul(name.substr(1))) = {middle.x, middle.y, 72 * inches(object, "width"),
                                                            72 * inches(object, "height")};
        }
    }

    static double inches(const Json& object, const char* key) {
        return numbers(object.at(key).get<std::string>()).at(0);
    }

    // "s,x,y e,x,y x,y x,y ...": the tips of arrows come first.
    void read_edge(const Json& edge) {
        const std::string id = edge.at("id").get<std::string>();
        const std::size_t index = std::stoul(id.substr(4));
        const bool is_link = id[0] == 'l';
        Curve& curve = is_link ? layout_.links.at(index) : layout_.bonds.at(index);
        std::optional<Point> start, end;
        std::istringstream stream(edge.at("pos").get<std::string>());
        for (std::string word; stream >> word;) {
            const bool tip = word[0] == 's' || word[0] == 'e';
            const std::vector<double> at = numbers(tip ? word.substr(2) : word);
            const Point here = point(at.at(0), at.at(1));
            if (tip)
                (word[0] == 's' ? start : end) = here;
            else
                curve.points.push_back(here);
        }
        if (start) curve.points.front() = *start;
        if (end) curve.points.back() = *end;
        const auto turn = [&](const auto& drawn) { orient(curve, drawn.from, drawn.to); };
        if (is_link)
            turn(picture_.links[index]);
        else
            turn(picture_.bonds[index]);
        if (!edge.contains("lp")) return;
        const std::vector<double> at = numbers(edge.at("lp").get<std::string>());
        curve.label = point(at.at(0), at.at(1));
    }

    // Some lines are told backwards; a curve goes from its box to its box.
    void orient(Curve& curve, std::uint32_t from, std::uint32_t to) const {
        if (from == to || curve.points.empty()) return;
        const Point first = curve.points.front(), last = curve.points.back();
        const double ahead = distance(first, layout_.boxes[from]) + distance(last, layout_.boxes[to]);
        const double back = distance(last, layout_.boxes[from]) + distance(first, layout_.boxes[to]);
        if (back < ahead) std::reverse(curve.points.begin(), curve.points.end());
    }

    static double distance(Point p, const Area& a) {
        return std::hypot(std::max(0.0, std::abs(p.x - a.x) - a.width / 2),
                          std::max(0.0, std::abs(p.y - a.y) - a.height / 2));
    }

    const Picture& picture_;
    Layout layout_;
};

}  // namespace

namespace {

// Wider pictures have letters too small to be read where a page is 600 pixels wide.
constexpr double very_wide = 860;

Layout lay_out(const Picture& picture, Direction direction) {
    const std::string text = run_dot(dot_text(picture, direction));
    try {
        return Reader(picture).read(Json::parse(text));
    } catch (const std::exception& error) {
        throw OutputError(fmt::format("the answer of dot cannot be read: {}", error.what()));
    }
}

}  // namespace

Layout lay_out(const Picture& picture) {
    Layout right = lay_out(picture, Direction::rightwards);
    if (right.width <= very_wide) return right;
    Layout down = lay_out(picture, Direction::downwards);
    return down.width < 0.8 * right.width ? down : right;
}

}  // namespace deltaflow::app::scheme

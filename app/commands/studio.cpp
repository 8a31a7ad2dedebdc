// `deltaflow studio`: hands the page and the user's folder to a browser on this machine, and to nobody else.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/interrupt.hpp"
#include "app/server/http.hpp"
#include "blocks/json_text.hpp"

#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <sstream>

extern char** environ;

namespace deltaflow::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 500;
constexpr std::uintmax_t largest_file = 16 << 20;

struct Kind {
    std::string_view ending, type;
};
constexpr Kind kinds[] = {{".html", "text/html; charset=utf-8"},
                          {".js", "text/javascript"},
                          {".css", "text/css"},
                          {".wasm", "application/wasm"},
                          {".svg", "image/svg+xml"},
                          {".json", "application/json"},
                          {".webmanifest", "application/manifest+json"},
                          {".woff2", "font/woff2"},
                          {".toml", "text/plain; charset=utf-8"},
                          {".csv", "text/plain; charset=utf-8"}};

std::string type_of(const fs::path& path) {
    for (const Kind& kind : kinds)
        if (path.extension() == kind.ending) return std::string(kind.type);
    return "application/octet-stream";
}

HttpAnswer refusal(int code, const std::string& words) { return {code, "text/plain; charset=utf-8", words}; }

// A file of the folder that a relative name means; nothing if it lies outside, through links too.
std::optional<fs::path> inside(const fs::path& folder, const std::string& name) {
    const fs::path relative = name;
    std::error_code error;
    if (name.empty() || relative.is_absolute() || name.find('\0') != name.npos) return {};
    const fs::path whole = fs::weakly_canonical(folder / relative, error);
    const fs::path rest = whole.lexically_relative(folder);
    if (error || rest.empty() || *rest.begin() == "..") return {};
    if (fs::is_symlink(fs::symlink_status(whole, error))) return {};  // it leads to nothing, who knows where
    return whole;
}

// Regular files alone: whoever opens a pipe waits for its other end.
HttpAnswer read(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > largest_file || error)
        return refusal(404, "there is no such file");
    std::ifstream file(path, std::ios::binary);
    if (!file) return refusal(404, "there is no such file");
    std::ostringstream text;
    text << file.rdbuf();
    return {200, type_of(path), text.str()};
}

bool is_wanted(const fs::directory_entry& entry) {
    std::error_code error;
    const std::string ending = entry.path().extension();
    return (ending == ".toml" || ending == ".csv") && entry.is_regular_file(error) &&
           entry.file_size(error) <= largest_file;
}

// Models and data of the folder and those below it, not too deep.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator() && names.size() < most_files;
         entry.increment(error)) {
        const bool hidden = entry->path().filename().string().front() == '.';
        if (entry.depth() >= 2 || hidden) entry.disable_recursion_pending();
        const std::string name = entry->path().lexically_relative(folder).string();
        if (!hidden && is_wanted(*entry) && inside(folder, name)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

// What the page may ask for. The token in every address keeps other pages and other people out.
class Studio {
public:
    Studio(fs::path page, fs::path folder, std::string model)
        : page_(std::move(page)), folder_(std::move(folder)), model_(std::move(model)) {
        std::random_device random;
        for (int i = 0; i < 4; ++i) token_ += fmt::format("{:08x}", random());
    }

    std::string address(std::uint16_t port) {
        host_ = fmt::format("127.0.0.1:{}", port);
        return fmt::format("http://{}/{}/?folder", host_, token_);
    }

    bool knows(const HttpRequest& request) const {
        return request.host == host_ && request.path.rfind("/" + token_ + "/", 0) == 0 &&
               (request.origin.empty() || request.origin == "http://" + host_);
    }

    HttpAnswer answer(const HttpRequest& request) const {
        if (!knows(request)) return refusal(403, "this is somebody else's studio");
        const std::string name = request.path.substr(token_.size() + 2);
        if (name.rfind("files/", 0) == 0) return file(request, name.substr(6));
        if (request.verb != "GET") return refusal(405, "the page can only be read");
        const auto path = inside(page_, name.empty() ? "index.html" : name);
        return path ? read(*path) : refusal(404, "there is no such file");
    }

private:
    HttpAnswer file(const HttpRequest& request, const std::string& name) const {
        if (name.empty()) return {200, "application/json", listing()};
        const auto path = inside(folder_, name);
        const std::string ending = fs::path(name).extension();
        if (!path || (ending != ".toml" && ending != ".csv")) return refusal(404, "there is no such file");
        if (request.verb == "GET") return read(*path);
        std::error_code error;
        const fs::file_type kind = fs::status(*path, error).type();
        if (request.verb != "PUT" || ending != ".toml" ||
            (kind != fs::file_type::regular && kind != fs::file_type::not_found))
            return refusal(405, "only models are written");
        const std::scoped_lock one_after_the_other(saving_);
        try {
            write_file(path->string(), [&](Output& output) { output.write(request.body); });
        } catch (const OutputError& error) {
            return refusal(500, error.what());
        }
        return {};
    }

    std::string listing() const {
        std::vector<std::string> names;
        for (const std::string& name : names_in(folder_)) names.push_back(json_text::string(name));
        return json_text::object({{"model", json_text::string(model_)}, {"files", json_text::array(names)}});
    }

    fs::path page_, folder_;
    std::string model_, token_, host_;
    mutable std::mutex saving_;  // a file that is written has one unfinished one beside it
};

// Where it was said to be; else beside the program where it is installed, or in the sources where it was
// built.
fs::path find_page(const std::string& given) {
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    const fs::path usual = given.empty() ? here / "../share/deltaflow/studio" : fs::path(given);
    for (const fs::path& place : {usual, given.empty() ? here / "../web/dist" : usual})
        if (fs::is_regular_file(place / "index.html", error)) return fs::canonical(place);
    throw OutputError(
        "the page of the studio is not installed; in the sources `./dev web build` makes it, and installing "
        "the program takes it along");
}

void open_browser(std::string address) {
    std::string name = "xdg-open";
    char* const arguments[] = {name.data(), address.data(), nullptr};
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
    pid_t process = 0;
    posix_spawnp(&process, "xdg-open", &quiet, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);
}

}  // namespace

int studio(const StudioOptions& options) {
    const fs::path page = find_page(options.page);
    const fs::path model = options.model.empty() ? fs::path() : fs::path(options.model);
    std::error_code error;
    if (!options.model.empty() && !fs::is_regular_file(model, error))
        refuse_file(ErrorKind::file, options.model, "there is no such file");
    const fs::path folder = fs::canonical(model.has_parent_path() ? model.parent_path() : fs::path("."));
    Studio studio(page, folder, model.filename().string());
    HttpServer server(options.port);
    const std::string address = studio.address(server.port());
    keep_order();
    fmt::print("the studio is at {}\nCtrl-C ends it\n", address);
    std::fflush(stdout);
    if (!options.no_browser) open_browser(address);
    server.serve([&](const HttpRequest& request) { return studio.answer(request); },
                 [&](const HttpRequest& request) { return studio.knows(request); }, interrupt_flag());
    return 0;
}

}  // namespace deltaflow::app

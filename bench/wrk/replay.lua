-- Requests from a file, one after the other: a line each, with U+001F in place of line ends. Each thread begins elsewhere.
--   wrk -t2 -c32 -d5 -s bench/wrk/replay.lua http://127.0.0.1:PORT -- REQUESTS
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

local requests, used = {}, 0
function init(arguments)
  for line in io.lines(arguments[1]) do table.insert(requests, (line:gsub("\31", "\r\n"))) end
  used = number * math.floor(#requests / 2)
end

function request()
  used = used % #requests + 1
  return requests[used]
end

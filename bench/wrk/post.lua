-- POSTs by wrk: bodies from a file, a line each, one after the other; each thread begins at a place of its own.
--   wrk -t2 -c32 -d5 -s bench/wrk/post.lua http://127.0.0.1:PORT/PATH -- BODIES [AUTHORIZATION]
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

local bodies, used = {}, 0
local headers = { ["content-type"] = "application/json" }
function init(arguments)
  for text in io.lines(arguments[1]) do table.insert(bodies, text) end
  headers.authorization = arguments[2]
  used = number * math.floor(#bodies / 2)
end

function request()
  used = used % #bodies + 1
  return wrk.format("POST", nil, headers, bodies[used])
end

-- Renewals by wrk: as many threads as connections, each with a token of its own, which it renews on and on.
--   wrk -t32 -c32 -d5 -s bench/wrk/renewal.lua http://127.0.0.1:PORT -- TOKENS BODY
-- TOKENS: a file with a renewal token a line; BODY: of a request, with TOKEN in it.
local threads = {}
function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

wrong = 0
function init(arguments)
  local line = 0
  for text in io.lines(arguments[1]) do
    line = line + 1
    if line == number then token = text end
  end
  before, after = arguments[2]:match("^(.*)TOKEN(.*)$")
end

local headers = { ["content-type"] = "application/json" }
function request()
  return wrk.format("POST", "/token", headers, before .. token .. after)
end

function response(status, _, body)
  local renewed = body:match('"refresh_token":"([%w_.-]+)"')
  if status == 200 and renewed then token = renewed else wrong = wrong + 1 end
end

function done()
  local all = 0
  for _, thread in ipairs(threads) do all = all + thread:get("wrong") end
  print("Wrong answers: " .. all)
end

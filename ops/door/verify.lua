-- http-request lua.verify URL: asks Gatehouse about the request. txn.verify_status is the status of its answer, 0 without one.

local passed_on = { "authorization", "cookie", "dpop", "traceparent" }
local answered = {
  verify_user = "x-gatehouse-user",
  verify_profile = "x-gatehouse-profile",
  verify_role = "x-gatehouse-role",
  verify_scopes = "x-gatehouse-scopes",
  verify_omitted = "x-gatehouse-scopes-omitted",
  verify_client = "x-gatehouse-client",
  verify_challenge = "www-authenticate",
  verify_trace = "trace-id",
  verify_nonce = "dpop-nonce",
}

core.register_action("verify", { "http-req" }, function(txn, url)
  local given = txn.http:req_get_headers()
  local headers = {
    ["x-forwarded-method"] = { txn.f:method() },
    ["x-forwarded-proto"] = { txn.f:ssl_fc() == 1 and "https" or "http" },
    ["x-forwarded-host"] = { given["host"] and given["host"][0] or "" },
    ["x-forwarded-uri"] = { txn.f:pathq() },
    ["x-forwarded-for"] = { txn.f:src() },
  }
  for _, name in ipairs(passed_on) do
    if given[name] then
      headers[name] = {}
      -- HAProxy counts from 0
      for index = 0, #given[name] do
        table.insert(headers[name], given[name][index])
      end
    end
  end
  local answer = core.httpclient():get({ url = url, headers = headers, timeout = 5000 })
  txn:set_var("txn.verify_status", tostring(answer and answer.status or 0))
  for variable, name in pairs(answered) do
    local values = answer and answer.headers and answer.headers[name]
    txn:set_var("txn." .. variable, values and values[0] or "")
  end
end, 1)

/** The pages of the development identity provider. */
import { escapeHtml } from '../escapeHtml.js';
import type { DevelopmentUser } from './developmentUser.js';

/** Its users, with an ID token of each for whoever wants to exchange one by hand. @param seconds for which one is good */
export function usersPage(issuer: string, users: readonly DevelopmentUser[], seconds: number): string {
  const rows = users.map(({ sub, email, name }) => {
    const link = `${issuer}/id-token?user=${encodeURIComponent(sub)}`;
    return `<tr><td>${escapeHtml(name)}</td><td>${escapeHtml(email)}</td><td><code>${escapeHtml(sub)}</code></td><td><a href="${escapeHtml(link)}">ID token</a></td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Development identity provider</title>
<style>body{font:16px system-ui,sans-serif;margin:2rem}th,td{text-align:left;padding:.4rem 1.5rem .4rem 0}</style>
<main>
<h1>Development identity provider</h1>
<p>Gives anybody an ID token for any of these users, good for ${seconds / 60} minutes. For development only.</p>
<table><tr><th>Name</th><th>E-mail</th><th>sub</th><th>ID token</th></tr>
${rows.join('\n')}
</table>
</main>
</html>
`;
}

const style = `:root{color-scheme:light dark;font:15px/1.4 system-ui,sans-serif;background:light-dark(#f6f7f9,#0b0d12);color:light-dark(#0f1729,#edf0f6)}
body{display:grid;place-items:center;min-height:100vh;margin:0}
main{width:min(420px,calc(100vw - 32px));box-sizing:border-box;margin:16px;padding:28px;border:1px solid light-dark(#e3e6eb,#232834);border-radius:12px;background:light-dark(#fff,#13161e)}
h1{margin:0 0 4px;font-size:21px;font-weight:650}
p{margin:0 0 18px;color:light-dark(#4c5669,#9aa3b5)}
form{display:grid;gap:6px}
button{display:flex;align-items:center;gap:12px;padding:9px 12px;border:1px solid light-dark(#d5d9e2,#2b3240);border-radius:8px;background:none;color:inherit;font:inherit;text-align:left;cursor:pointer}
button:hover{border-color:#3b5bdb}
button:focus-visible{outline:2px solid #3b5bdb;outline-offset:2px}
b{display:grid;place-items:center;width:34px;height:34px;border-radius:50%;background:light-dark(#edf1ff,#1b2345);color:light-dark(#3450c4,#98a9ff);font-size:12px}
small{display:block;color:light-dark(#4c5669,#9aa3b5)}`;

/** Whom to sign in as: a click sends the same request again, with the user. */
export function chooserPage(asked: URLSearchParams, users: readonly DevelopmentUser[]): string {
  const kept = [...asked].filter(([name]) => name !== 'user');
  const hidden = kept.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const buttons = users.map(({ sub, name, email }) => {
    const initials = name
      .split(' ')
      .map((word) => word[0])
      .join('');
    return `<button name="user" value="${escapeHtml(sub)}"><b aria-hidden="true">${escapeHtml(initials)}</b><span>${escapeHtml(name)}<small>${escapeHtml(email)}</small></span></button>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in · development identity provider</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Sign in as</h1>
<p>For development only: this identity provider signs in anybody.</p>
<form>${hidden.join('')}
${buttons.join('\n')}
</form>
</main>
</body>
</html>
`;
}

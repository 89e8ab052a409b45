/** The few pages that the service writes itself, on the way in and out of the console: a title, sentences, links; nothing runs. */
import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { escapeHtml } from '../escapeHtml.js';
import { traceIdNow } from '../http/requestContext.js';

interface Page {
  status: number;
  title: string;
  /** Sentences, each a paragraph. */
  text?: readonly string[];
  /** Addresses, and what they are called. */
  links?: readonly (readonly [address: string, name: string])[];
  /** Where the browser goes on to at once. */
  goesTo?: string;
}

const style = `:root{color-scheme:light dark;font:15px/1.5 Inter,system-ui,sans-serif;background:light-dark(#f6f7f9,#0b0d12);color:light-dark(#0f1729,#edf0f6)}
body{display:grid;place-items:center;min-height:100vh;margin:0}
main{width:min(420px,calc(100vw - 32px));box-sizing:border-box;padding:28px;border:1px solid light-dark(#e3e6eb,#232834);border-radius:12px;background:light-dark(#fff,#13161e)}
h1{margin:0 0 8px;font-size:21px;line-height:1.3;font-weight:650}
p{margin:0 0 12px;color:light-dark(#4c5669,#9aa3b5)}
ul{display:grid;gap:8px;margin:16px 0 0;padding:0;list-style:none}
a{display:block;padding:10px 14px;border:1px solid light-dark(#d5d9e2,#2b3240);border-radius:8px;color:light-dark(#3450c4,#98a9ff);font-weight:600;text-decoration:none}
a:hover{border-color:#3b5bdb}
a:focus-visible{outline:2px solid #3b5bdb;outline-offset:2px}`;
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function sendPage(response: Response, { status, title, text = [], links = [], goesTo }: Page): void {
  response.status(status).set({ 'content-security-policy': policy, 'cache-control': 'no-store' }).type('html');
  if (goesTo !== undefined) response.set('refresh', `0; url=${goesTo}`);
  const paragraphs = text.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n');
  const items = links.map(([address, name]) => `<li><a href="${escapeHtml(address)}">${escapeHtml(name)}</a></li>`);
  response.send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Gatehouse</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs}
${items.length > 0 ? `<ul>\n${items.join('\n')}\n</ul>` : ''}
</main>
</body>
</html>
`);
}

/** Names the request, for whoever reads the log. */
export const traceLine = (): string => `Trace id: ${traceIdNow()}`;

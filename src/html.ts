/** Escapes text for HTML, and writes pages that show one card. */

/** Escapes text between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The style of a page with one card: sign-in, sign-out, the choice of a user. */
export const cardStyle = `:root{color-scheme:light dark;font:15px/1.5 Inter,system-ui,sans-serif;background:light-dark(#f6f7f9,#0b0d12);color:light-dark(#0f1729,#edf0f6)}
body{display:grid;place-items:center;min-height:100vh;margin:0}
main{width:min(420px,calc(100vw - 32px));box-sizing:border-box;padding:28px;border:1px solid light-dark(#e3e6eb,#232834);border-radius:12px;background:light-dark(#fff,#13161e)}
h1{margin:0 0 8px;font-size:21px;line-height:1.3;font-weight:650}
p{margin:0 0 12px;color:light-dark(#4c5669,#9aa3b5)}`;

interface CardPage {
  /** Text. */
  title: string;
  /** CSS. */
  style: string;
  /** HTML of the card. */
  card: string;
}

export const cardPage = ({ title, style, card }: CardPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${card}
</main>
</body>
</html>
`;

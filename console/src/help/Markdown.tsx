/** Shows the Markdown that the documentation is written in: headings, paragraphs, lists, tables, code, emphasis and links. HTML in it is text. */
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';

export const Markdown = ({ text }: { text: string }) => (
  <div className="document">
    {text
      .trim()
      .split(/\n{2,9}/)
      .map((block) => (
        <Block key={block} lines={block.split('\n')} />
      ))}
  </div>
);

function Block({ lines }: { lines: readonly string[] }) {
  const [first = ''] = lines;
  // pictures show the page that the reader came from
  if (first.startsWith('![')) return null;
  if (first.startsWith('# ')) return <h1>{inline(first.slice(2))}</h1>;
  if (first.startsWith('## ')) return <h2>{inline(first.slice(3))}</h2>;
  if (first.startsWith('### ')) return <h3>{inline(first.slice(4))}</h3>;
  if (first.startsWith('```'))
    return (
      <pre>
        <code>{lines.slice(1, -1).join('\n')}</code>
      </pre>
    );
  if (first.startsWith('|')) return <Table lines={lines} />;
  const items = itemsOf(lines);
  if (first.startsWith('- ')) return <ul>{items}</ul>;
  if (first.startsWith('1. ')) return <ol>{items}</ol>;
  return <p>{inline(lines.join(' '))}</p>;
}

/** An item goes on in the indented lines below. */
function itemsOf(lines: readonly string[]): ReactNode {
  const items: string[] = [];
  for (const line of lines) {
    const begins = /^(?:- |\d{1,2}\. )(.{0,2000})$/.exec(line);
    if (begins) items.push(begins[1]!);
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items.map((item) => <li key={item}>{inline(item)}</li>);
}

function Table({ lines }: { lines: readonly string[] }) {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim()),
  );
  return (
    <table className="plain">
      {head.some((cell) => cell !== '') && (
        <thead>
          <tr>
            {head.map((cell) =>
              // a column without a name has no heading
              cell === '' ? (
                <td key={cell} />
              ) : (
                <th key={cell} scope="col">
                  {inline(cell)}
                </th>
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => (
          <tr key={row.join()}>
            {row.map((cell) => (
              <td key={cell}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const marks = /(\*\*[^*]{1,400}\*\*|\*[^*]{1,400}\*|`[^`]{1,400}`|\[[^\]]{1,400}\]\([^)]{1,400}\))/;

const inline = (text: string): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which stay as they are
  text.split(marks).map((part, index) => <Fragment key={index}>{marked(part)}</Fragment>);

function marked(part: string): ReactNode {
  if (part.startsWith('**') && part.length > 4) return <b>{inline(part.slice(2, -2))}</b>;
  if (part.startsWith('*') && part.length > 2) return <em>{part.slice(1, -1)}</em>;
  if (part.startsWith('`') && part.length > 2) return <code>{part.slice(1, -1)}</code>;
  const link = /^\[([^\]]{1,400})\]\(([\w-]{1,60})\.md\)$/.exec(part);
  if (link)
    return (
      <Link className="link" to="/help/$name" params={{ name: link[2]! }}>
        {link[1]}
      </Link>
    );
  // a document elsewhere in the repository, which is not here
  return /^\[([^\]]{1,400})\]\(/.exec(part)?.[1] ?? part;
}

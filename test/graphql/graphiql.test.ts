/** GraphiQL: a page for browsers where the setting has it, from this machine alone, and never signed in by itself here. */
import { startTestGraph } from './graph.js';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

it('a browser finds it, with its files, and no other machine is asked', async () => {
  const graph = await startTestGraph();
  try {
    const page = await fetch(`${graph.app.url}/graphql`, { headers: html });
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    // identity providers are configured: whoever opens the page brings a token
    expect(text).not.toContain('"token"');
    const files = [...text.matchAll(/(?:src|href)="(graphql\/[^"]+)"/g)].map(([, path]) => path);
    expect(files).toHaveLength(5);
    for (const path of files) {
      expect((await fetch(`${graph.app.url}/${path}`)).status).toBe(200);
      const { status, headers } = await fetch(`${graph.app.url}/${path}`, { method: 'OPTIONS' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    expect([...text.matchAll(/(?:src|href)="https?:/g)]).toEqual([]);
  } finally {
    await graph.close();
  }
});

it('GraphiQL does not exist where the setting says no', async () => {
  const graph = await startTestGraph({ GRAPHQL_INTROSPECTION: 'no' });
  try {
    const page = await fetch(`${graph.app.url}/graphql`, { headers: html });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      401,
      'application/graphql-response+json; charset=utf-8',
    ]);
    expect((await fetch(`${graph.app.url}/graphql/assets/graphiql.js`)).status).not.toBe(200);
  } finally {
    await graph.close();
  }
});

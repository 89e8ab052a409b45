/** The console's built files (`dist/console`): serves them with their cache headers, and reads the operations of its pages. */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RequestHandler, Router } from 'express';
import { type FindDocument, readTrustedDocuments } from '../../../config/trustedDocuments.js';
import { notFound } from '../../../errors.js';
import type { Encodings } from '../../../http/encoding/encodings.js';
import { getRoute } from '../../../http/routes.js';
import { projectFile } from '../../../places.js';

/** The folder that the build writes. */
export const builtFolder = fileURLToPath(projectFile('dist/console/'));

/** test/modules/console/files.test.ts requires exactly this policy; the pages need nothing else. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export const isBuilt = (folder: string): boolean =>
  existsSync(join(folder, 'index.html')) && existsSync(listIn(folder));

interface BuiltFiles {
  folder: string;
  /** Path of the console. */
  root: string;
  /** Shown next to the name, so that a test system is not mistaken for production. */
  environment: string | undefined;
  encodings: Encodings;
}

/** The page, at every path of the console without a route of its own, and its files. */
export function builtFileRoutes(built: BuiltFiles): Router {
  const { folder, root, encodings } = built;
  const router = Router({ caseSensitive: true });
  getRoute(router, '/console/assets/{*name}', sendAsset(join(folder, 'assets'), encodings));
  const sendPage = openPage(built);
  getRoute(router, '/console{/*path}', async (request, response, next) => {
    if (!request.path.startsWith('/console/')) return response.redirect(308, root);
    const [name] = besidePage.exec(request.path.slice('/console/'.length)) ?? [];
    if (name === undefined || !existsSync(join(folder, name))) return sendPage(request, response, next);
    response.set('cache-control', 'public, max-age=3600').sendFile(name, { root: folder, acceptRanges: false });
  });
  return router;
}

/** Files next to the page, such as its icon. */
const besidePage = /^[\w-]{1,100}\.(svg|png|ico|txt|webmanifest)$/;

/** Reads the page at each request, because a new build names other assets. */
function openPage({ folder, root, environment, encodings }: BuiltFiles): RequestHandler {
  const meta = environment ? `<meta name="environment" content="${environment}">` : '';
  const base = `<base href="${root}">${meta}`;
  return async (request, response) => {
    const built = await readFile(join(folder, 'index.html'), 'utf8');
    const page = /<base\b/.test(built)
      ? built.replace(/<base\b[^>]{0,200}>/, base)
      : built.replace(/<head\b[^>]{0,200}>/, (head) => head + base);
    response.set({
      'content-security-policy': pagePolicy,
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    await encodings.send(request, response.type('html'), page);
  };
}

/** Serves assets, whose names contain a hash of their content. The build compresses them; the smallest form is preferred. */
function sendAsset(folder: string, encodings: Encodings): RequestHandler {
  return (request, response) => {
    const name = request.path.slice('/console/assets/'.length);
    if (!assetName.test(name) || !existsSync(join(folder, name))) throw notFound('The file');
    response.set('cache-control', 'public, max-age=31536000, immutable');
    const available = (['br', 'gzip'] as const).filter((encoding) =>
      existsSync(join(folder, name + suffixes[encoding])),
    );
    const encoding = encodings.choose(request, response, available);
    const suffix = encoding ? suffixes[encoding] : '';
    response.type(name.slice(name.lastIndexOf('.')));
    if (encoding) response.set('content-encoding', encoding);
    // immutable by the header above, which sendFile would overwrite
    response.sendFile(name + suffix, { root: folder, cacheControl: false, acceptRanges: false });
  };
}

const assetName = /^[\w-][\w.-]{0,199}\.\w{1,10}$/;
/** The compressed files of the build, which are smaller than what could be compressed during a request. */
const suffixes = { br: '.br', gzip: '.gz' };

/** The list of operations. It is next to the page, and is never served. */
const listIn = (folder: string): string => join(folder, 'documents.json');

/** Finds an operation of the pages; `/console/graphql` executes no others. */
export function openDocuments(folder: string): FindDocument {
  const path = listIn(folder);
  const stampOf = (): string => {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  };
  let stamp = stampOf();
  let find = readTrustedDocuments(path);
  return (id) => {
    const text = find(id);
    // a new build has other operations
    if (text !== undefined || stampOf() === stamp) return text;
    stamp = stampOf();
    find = readTrustedDocuments(path);
    return find(id);
  };
}

/** The bare server of a floor: the same answer to every request, made anew each time. */
import { createServer } from 'node:http';

/** Listens on a free port and says on which. @param answer gives JSON */
export function serveAnswers(answer: () => Promise<string>): void {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      answer().then(
        (text) => response.setHeader('content-type', 'application/json').end(text),
        (error: unknown) => {
          response.statusCode = 500;
          response.end(String(error));
        },
      );
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`listens on ${(server.address() as { port: number }).port}\n`);
  });
}

/** What a process that was started with `--inspect` keeps, by V8's inspector: the heap after a full collection. */

interface Heap {
  /** Collects garbage first, which stops the process for a while. */
  keptBytes(): Promise<number>;
  close(): void;
}

interface Reply {
  id: number;
  result: { usedSize: number };
}

export async function openHeap(inspectorPort: number): Promise<Heap> {
  const list = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  const [{ webSocketDebuggerUrl }] = (await list.json()) as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener('open', () => resolve());
  socket.addEventListener('error', () => reject(new Error('no inspector')));
  await promise;
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  let last = 0;
  const ask = (method: string) =>
    new Promise<Reply>((answer) => {
      last += 1;
      waiting.set(last, answer);
      socket.send(JSON.stringify({ id: last, method }));
    });
  const keptBytes = async () => {
    await ask('HeapProfiler.collectGarbage');
    return (await ask('Runtime.getHeapUsage')).result.usedSize;
  };
  return { keptBytes, close: () => socket.close() };
}

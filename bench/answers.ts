/** Reads HTTP/1.1 answers off a connection, one at a time, by content-length or in chunks; bodies are kept where wanted. */

export interface Answer {
  status: number;
  /** Of the body. */
  bytes: number;
  /** Absent: it was only counted. */
  body?: Buffer;
}

export class AnswerReader {
  #head: Buffer | undefined;
  #status = 0;
  #isChunked = false;
  #missing = 0;
  #sizeLine = '';
  #isLast = false;
  #bytes = 0;
  #parts: Buffer[] | undefined;

  /** Gives the answer once it is whole; nothing may come after it that wasn't asked for. @param received read now and not later */
  push(received: Buffer, keepsBody: boolean): Answer | undefined {
    let chunk = received;
    if (this.#status === 0) {
      if (this.#head) chunk = Buffer.concat([this.#head, received]);
      const end = chunk.indexOf('\r\n\r\n');
      if (end < 0) {
        this.#head = Buffer.from(chunk);
        return undefined;
      }
      this.#begin(chunk.toString('latin1', 0, end), keepsBody);
      chunk = chunk.subarray(end + 4);
    }
    return (this.#isChunked ? this.#readChunked(chunk) : this.#readPlain(chunk)) ? this.#end() : undefined;
  }

  #begin(head: string, keepsBody: boolean): void {
    this.#head = undefined;
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#isChunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head);
    this.#missing = Number(length ?? 0);
    this.#bytes = 0;
    this.#parts = keepsBody ? [] : undefined;
  }

  #take(content: Buffer): void {
    this.#bytes += content.length;
    this.#parts?.push(Buffer.from(content));
  }

  #readPlain(chunk: Buffer): boolean {
    this.#take(chunk);
    this.#missing -= chunk.length;
    return this.#missing <= 0;
  }

  /** RFC 9112 §7.1, without trailers. */
  #readChunked(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, chunk.length - at);
        // the last two bytes are the line's end
        this.#take(chunk.subarray(at, at + Math.min(taken, Math.max(0, this.#missing - 2))));
        this.#missing -= taken;
        at += taken;
        if (this.#missing === 0 && this.#isLast) return true;
        continue;
      }
      const lineEnd = chunk.indexOf(10, at);
      this.#sizeLine += chunk.toString('latin1', at, lineEnd < 0 ? chunk.length : lineEnd);
      if (lineEnd < 0) return false;
      at = lineEnd + 1;
      const size = Number.parseInt(this.#sizeLine, 16);
      this.#sizeLine = '';
      this.#isLast = size === 0;
      this.#missing = size + 2;
    }
    return false;
  }

  #end(): Answer {
    const answer: Answer = { status: this.#status, bytes: this.#bytes };
    if (this.#parts) answer.body = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#status = 0;
    this.#isLast = false;
    return answer;
  }
}

/**
 * The two spellings of a P-256 signature: r and s of 32 bytes each, as JWS has them (RFC 7518 §3.4), and DER (RFC 3279
 * §2.2.3), as OpenSSL has them. Asking node:crypto for the first makes a signature twice, and a verification 1.7 times as dear.
 */
const half = 32;
const sequenceTag = 0x30;
const integerTag = 0x02;

/** DER of a 64-byte r and s. */
export function toDer(signature: Buffer): Buffer {
  const r = toInteger(signature.subarray(0, half));
  const s = toInteger(signature.subarray(half));
  return Buffer.concat([Buffer.of(sequenceTag, r.length + s.length), r, s]);
}

/** The 64 bytes of r and s, of a signature that OpenSSL made. */
export function fromDer(der: Buffer): Buffer {
  const signature = Buffer.alloc(2 * half);
  const rLength = der[3]!;
  writeHalf(signature, 0, der.subarray(4, 4 + rLength));
  writeHalf(signature, half, der.subarray(6 + rLength));
  return signature;
}

/** The shortest two's complement: no zeros in front but the one that keeps it positive. */
function toInteger(bytes: Buffer): Buffer {
  let start = 0;
  while (start < half - 1 && bytes[start] === 0) start++;
  const isNegative = bytes[start]! >= 0x80;
  const head = isNegative ? [integerTag, half - start + 1, 0] : [integerTag, half - start];
  return Buffer.concat([Buffer.from(head), bytes.subarray(start)]);
}

function writeHalf(signature: Buffer, offset: number, integer: Buffer): void {
  const digits = integer.subarray(Math.max(0, integer.length - half));
  digits.copy(signature, offset + half - digits.length);
}

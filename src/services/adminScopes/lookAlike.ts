/**
 * Whether a name looks like `admin`, so that who reads a list of scopes would take the one for the other. Letters that
 * look like these five are Unicode's (UTS #39, confusables.txt) and, besides, small capitals, letters in boxes, and the
 * digits and strokes that stand for an i. A table of the whole alphabet would be a hundred times as long.
 */
const shapes: Record<string, string> = {
  a: 'ɑαа⍺⍶ẚᴀꭺᗅꓮ𖽀𐊠🅐🅰🇦@',
  d: 'ԁɗɖƌđðᴅꭰꮷᑯᗞᗪꓒꓓ₫🅓🅳🇩',
  m: 'μмӎϻɱᵯᴍⲙꮇᗰᛖꓟ𐊰𐌑𑣣𑜀₥🅜🅼🇲',
  i: 'іıɪɩιɨᵻᵼꙇꭵⲓ⍳⍸𑣃🅘🅸🇮1l|!łɭƚɫӏǀ∣⏽│׀וןا١۱ٳߊⵏᛁꓲ𖼨𐊊𐌉𐌠𝈪',
  n: 'ոռνηпɳƞɲᵰɴⲛꓠ𐔓𐆎🅝🅽🇳',
};
const letterOf = new Map(
  Object.entries(shapes).flatMap(([letter, alike]) => [...alike].map((shape) => [shape, letter] as const)),
);
/** Accents, and what is not seen at all. */
const besides = /[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** In any case and script, in full width, with accents or with characters that can't be seen. */
export function looksLikeAdmin(name: string): boolean {
  // compatibility forms (full width, mathematical, encircled) become plain letters, and accents stand by themselves
  const plain = name.normalize('NFKD').replace(besides, '').toLowerCase();
  const letters = [...plain].map((letter) => letterOf.get(letter) ?? letter).join('');
  return letters.replaceAll('rn', 'm') === 'admin';
}

// Encodings of hostile text.

/** Converts letters to invisible ones. */
export const invisible = (text: string) =>
  Array.from(text, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xe0000)).join('');
export const fullWidth = (text: string) =>
  Array.from(text, (letter) =>
    letter === ' ' ? letter : String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
  ).join('');

/** A PDF of one page. */
export function pdf(text: string): string {
  const stream = `BT /F1 4 Tf 10 700 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 6000 792] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`;
}

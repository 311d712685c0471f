/** Validates a format in linear time. */
export type FormatCheck = (text: string) => boolean;

/** Formats of draft 2020-12, except those of internationalized names and of templates, which are annotations. */
export const formats: Readonly<Record<string, FormatCheck>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: matching(/^P(?:\d+W|(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/),
  email: isEmail,
  hostname: isHostname,
  ipv4: matching(/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/),
  ipv6: isIpv6,
  uri: isUri,
  url: isUri, // not in JSON Schema, but common
  'uri-reference': isUriReference,
  uuid: matching(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i),
  'json-pointer': matching(/^(?:\/(?:[^~/]|~[01])*)*$/),
  'relative-json-pointer': matching(/^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/),
  regex: isRegularExpression,
};

function matching(expression: RegExp): FormatCheck {
  return (text) => expression.test(text);
}

/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6 */
function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^[Tt ]$/.test(text.slice(10, 11)) && isTime(text.slice(11));
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const isLeapYear = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= days;
}

/** A leap second is the last second of a day in UTC. */
function isTime(text: string): boolean {
  const found = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i.exec(text);
  if (found === null) return false;
  const [, hour, minute, second, sign = '+', offsetHour = '0', offsetMinute = '0'] = found;
  if (second !== '60') return true;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '+' ? 1 : -1);
  return (Number(hour) * 60 + Number(minute) - offset + 2 * 1440) % 1440 === 1439;
}

/** As browsers validate it: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return (
    at <= 64 && /^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(text.slice(0, Math.max(0, at))) && isHostname(text.slice(at + 1))
  );
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label));
}

/** Eight groups, of which `::` stands for at least one; the last two may be an IPv4 address. */
function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const isV4 = text.includes('.');
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (isV4 && formats['ipv4']?.(tail) !== true) return false;
  const halves = (isV4 ? `${text.slice(0, -tail.length)}0:0` : text).split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const isFull = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8;
  return isFull && groups.every((group) => /^[\da-f]{1,4}$/i.test(group));
}

function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(text) && isUriReference(text);
}

/** Characters of a URI, and at most one fragment: https://www.rfc-editor.org/rfc/rfc3986#appendix-A */
function isUriReference(text: string): boolean {
  return /^(?:[\w\-.~:/?[\]@!$&'()*+,;=]|%[\da-f]{2})*(?:#(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2})*)?$/i.test(text);
}

function isRegularExpression(text: string): boolean {
  try {
    void new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

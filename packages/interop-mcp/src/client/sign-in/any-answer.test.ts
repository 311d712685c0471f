import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isUtensilError } from '@utensil/core';
import { ada, cameBack, honest, issuerUrl, redirectUrl, scriptedSignIn, serverUrl } from '../../test-kit/issuer.ts';

// For any response of a server, an issuer or a browser, a sign-in succeeds or fails with a reason.

const addresses = Object.keys(honest);

/** An answer of an honest issuer, with some members as anything. */
const answers = fc
  .record({
    at: fc.constantFrom(...addresses),
    status: fc.constantFrom(200, 200, 200, 201, 204, 302, 400, 401, 500),
    member: fc.constantFrom(
      ...addresses.flatMap((each) => Object.keys(honest[each] as object)),
      'error',
      'client_secret',
    ),
    value: fc.oneof(
      fc.jsonValue(),
      fc.webUrl(),
      fc.constantFrom('javascript:1', 'http://[::1]', [null], [issuerUrl, 7]),
    ),
    whole: fc.option(fc.jsonValue(), { freq: 4 }),
  })
  .map(({ at, status, member, value, whole }) => {
    const body = whole ?? { ...(honest[at] as object), [member]: value };
    const isEmpty = status === 204 || status === 302;
    return { at, answer: () => new Response(isEmpty ? null : JSON.stringify(body), { status }) };
  });

async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

const isTold = (error: unknown): boolean =>
  error === undefined || isUtensilError(error, 'sign_in_failed', 'sign_in_needed', 'invalid_input');

it('any answer of an issuer leads to a sign-in, or to an error that says why not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 3 }), async (given) => {
      const scripted = scriptedSignIn(Object.fromEntries(given.map(({ at, answer }) => [at, answer])));
      const of = scripted.signIn.server(serverUrl, { principal: ada });
      const error = await outcome(async () => {
        const { url } = await of.begin();
        expect(new URL(url).protocol).toBe('https:');
        await scripted.signIn.finish(cameBack(url), { principal: ada });
      });
      expect(error).toSatisfy(isTold);
      const { authProvider, fetch } = of.connection({ fetch: async () => new Response(null, { status: 401 }) });
      const renewing = await outcome(async () => {
        const token = (await authProvider.token()) ?? '';
        await authProvider.onUnauthorized({
          response: await fetch(serverUrl, { headers: { authorization: `Bearer ${token}` } }),
        });
      });
      expect(renewing).toSatisfy(isTold);
    }),
    { numRuns: 80 },
  );
});

it('anything that a browser brings back is an answer, or none', async () => {
  const { signIn } = scriptedSignIn();
  const of = signIn.server(serverUrl, { principal: ada });
  const { url } = await of.begin();
  const state = new URL(url).searchParams.get('state') ?? '';
  const parameter = fc.tuple(
    fc.constantFrom('code', 'iss', 'error', 'state', 'x'),
    fc.oneof(fc.string(), fc.constant(state.slice(1))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(parameter, { maxLength: 6 }), fc.string(), async (parameters, tail) => {
      const query = new URLSearchParams(parameters).toString();
      for (const address of [`${redirectUrl}?${query}`, `${redirectUrl}${tail}`, tail])
        expect(await outcome(() => signIn.finish(address, { principal: ada }))).toSatisfy(
          (error) => error !== undefined && isTold(error),
        );
    }),
    { numRuns: 50 },
  );
  await signIn.finish(cameBack(url), { principal: ada }); // which still waits
});

it('any challenge of a server is a refusal that asks for the user', async () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'Bearer',
      'DPoP',
      'error="insufficient_scope"',
      'scope="a b"',
      ',',
      'resource_metadata="https://mcp.example/x"',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), fc.constantFrom(401, 403), async (words, status) => {
      const challenge = words.join(' ').replaceAll(/[^\x20-\x7e]/g, '');
      const refusal = async () => new Response(null, { status, headers: { 'www-authenticate': challenge } });
      const { signIn } = scriptedSignIn();
      const { authProvider, fetch } = signIn.server(serverUrl).connection({ fetch: refusal });
      const error = await outcome(async () => {
        const response = await fetch(serverUrl, { headers: { authorization: 'Bearer a' } });
        if (response.status === 401) await authProvider.onUnauthorized({ response });
      });
      expect(error).toSatisfy(isTold);
      expect(await outcome(() => signIn.server(serverUrl).begin())).toSatisfy(isTold);
    }),
    { numRuns: 50 },
  );
});

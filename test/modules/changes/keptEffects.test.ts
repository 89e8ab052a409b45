/** Effects that are kept for their lists take no more memory than is set aside for them. */
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

it('an effect is kept with the request that it would be counted again from, and both take up the room', async () => {
  const token = graph.token();
  const kept = async (text: string): Promise<string> => {
    const translations = Array.from({ length: 1_000 }, (_, number) => ({
      translationGroup: `g${number}`,
      fieldName: 'name',
      languageCode: 'de',
      translatedText: text,
    }));
    const plan = 'mutation ($file: JSON!) { planCatalogue(file: $file) { effect { effectId } } }';
    return (await graph.data(plan, { file: { translations } }, token)).planCatalogue.effect.effectId;
  };
  const read = async (effectId: string) => {
    const { json } = await graph.ask(
      'query ($effectId: ID!) { effect(effectId: $effectId) { effectId } }',
      { effectId },
      token,
    );
    return json.data?.effect?.effectId ?? json.errors[0].extensions.code;
  };
  const [small, large] = [await kept('a'), await kept('b'.repeat(4_000))];
  expect([await read(large), await read(small)]).toEqual([large, small]);
  // two bytes for each of four million characters: eight do not fit, and the one that was not read for the longest time leaves
  for (let count = 0; count < 7; count++) await kept('c'.repeat(4_000));
  expect([await read(large), await read(small)]).toEqual(['NOT_FOUND', small]);
});

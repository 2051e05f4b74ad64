import { type Operations, pathOf } from '../../client/client.js';

declare const answer: unique symbol;

/** A path of the API with its query, and the type of the answer to it. */
export type TypedPath<Answer> = string & { readonly [answer]: Answer };

type Templates = typeof import('../../client/operations.js');
/** An operation that reads JSON. */
type Read = Exclude<Extract<Templates[keyof Templates], `GET ${string}`>, `${string} response`>;
type Named<Template extends Read> = Operations[{
  [Name in keyof Templates]: Templates[Name] extends Template ? Name : never;
}[keyof Templates]];
type ParamsOf<Template extends Read> = NonNullable<Parameters<Named<Template>>[0]>;
type AnswerTo<Template extends Read> = Awaited<ReturnType<Named<Template>>>;

/** Parameters by their names; values may be texts, as the address of a view has them, which the server judges. */
type Given<Params> = {
  [Name in keyof Params]: [Params[Name]] extends [never] ? never : Params[Name] | string | readonly string[];
};

/** Returns the path of an operation of `client/operations.js`; a parameter that it does not have is a type error. */
export const pathTo = <Template extends Read, Params extends Given<ParamsOf<Template>>>(
  operation: Template,
  params: Params & { [Name in Exclude<keyof Params, keyof ParamsOf<Template>>]: never },
): TypedPath<AnswerTo<Template>> => pathOf(operation, params) as TypedPath<AnswerTo<Template>>;

/** Returns the values that a query has for parameters, by their names. */
export const valuesOf = <Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Record<Name, string[]> =>
  Object.fromEntries(names.map((name) => [name, query.getAll(name)])) as Record<Name, string[]>;

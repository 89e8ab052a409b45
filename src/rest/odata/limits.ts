// How much a query option may ask for: what is larger is refused before it costs anything (DESIGN §1, row `options`).

/** UTF-16 code units of one option's decoded value. */
export const TEXT_MAX = 8192;

/** Levels of parentheses, functions, `not` and `any` inside each other, and navigations in one path. */
export const NESTING_MAX = 15;

/** Nodes of a filter's tree: every operator, function, path and literal, and each item of an `in` list. */
export const NODES_MAX = 100;

/** Levels of navigations that `$expand` and `$select` go down. */
export const EXPAND_LEVELS_MAX = 4;

/** Keys of one `$orderby`. */
export const ORDER_KEYS_MAX = 10;

/** The largest `$top` and `$skip`: OData's Int32. */
export const ROWS_MAX = 2147483647;

/** `any` inside `any`: each level multiplies what the database looks at. */
export const LAMBDAS_MAX = 2;

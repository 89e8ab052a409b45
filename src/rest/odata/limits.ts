/** How much a query option may ask for: what is larger is refused before it costs anything (docs/contract/administration.md, `options`). */
/** UTF-16 code units of one option's decoded value. */
export const textMax = 8192;

/** Levels of parentheses, functions, `not` and `any` inside each other, and navigations in one path. */
export const nestingMax = 15;

/** Nodes of a filter's tree: every operator, function, path and literal, and each item of an `in` list. */
export const nodesMax = 100;

/** Levels of navigations that `$expand` and `$select` go down. */
export const expandLevelsMax = 4;

/** Keys of one `$orderby`. */
export const orderKeysMax = 10;

/** The largest `$top` and `$skip`: OData's Int32. */
export const rowsMax = 2147483647;

/** `any` inside `any`: each level multiplies what the database looks at. */
export const lambdasMax = 2;

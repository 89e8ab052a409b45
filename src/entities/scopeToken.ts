/** RFC 6749 §3.3, Appendix A.4: what a `scope` text may hold between its spaces. */
const outsideScopeToken = /[^\x21\x23-\x5b\x5d-\x7e]/;

export const isScopeToken = (entry: string): boolean => entry !== '' && !outsideScopeToken.test(entry);

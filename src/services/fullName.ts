/** SQL of a user's first and last name, null without both. @param user the alias of the row of users, with its dot */
export const fullName = (user = ''): string => `nullif(concat_ws(' ', ${user}first_name, ${user}last_name), '')`;

package keys;

import java.util.Collection;

final class Scopes {
    /** Whether the entries of "scopes" include the scope, or the wildcard of its type. */
    static boolean covers(Collection<String> scopes, String scope) {
        String type = scope.substring(0, scope.indexOf(':'));
        return scopes != null && (scopes.contains(scope) || scopes.contains(type + ":*"));
    }
}

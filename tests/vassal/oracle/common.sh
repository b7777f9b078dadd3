# common.sh: what install and vassal-oracle must agree on; sourced by both, never run.
# Everything lives in one folder outside the checkout. The compiled classes stand in a folder named after the hash of
# their sources, so changed sources are never served by old classes and two checkouts do not disturb each other.
CACHE=~/.cache
HOME_DIR=${VASSAL_ORACLE_HOME:-${XDG_CACHE_HOME:-$CACHE}/vassal-oracle}
ENGINE_JAR=$HOME_DIR/Vengine.jar
LIBRARIES="batik-all logback-classic logback-core slf4j-api xml-apis-ext miglayout-core miglayout-swing TimingFramework httpcore5
 httpclient5 commons-lang3 commons-codec commons-io maven3-artifact xmlgraphics-commons"
LIBRARY_PATH=""; for j in $LIBRARIES; do LIBRARY_PATH=$LIBRARY_PATH:/usr/share/java/$j.jar; done
CLASSPATH_ENGINE=$ENGINE_JAR$LIBRARY_PATH
SOURCES_HASH=$(cd "$HERE" && find src stubs -name '*.java' | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-16)
CLASSES=$HOME_DIR/classes-$SOURCES_HASH

# Prints why the engine cannot run here and fails; silent when all but the compiled classes is there.
why_not() {
  local java; java=$(command -v java) || { echo "no Java: there is no 'java' on the PATH"; return 1; }
  # the headless JRE lacks this library, and VASSAL draws
  [ -e "$(dirname "$(readlink -f "$java")")/../lib/libawt_xawt.so" ] || { echo "no full Java: $java is a headless JRE"; return 1; }
  [ -n "${DISPLAY:-}" ] || command -v Xvfb >/dev/null || { echo "no Xvfb, and no DISPLAY"; return 1; }
  [ -s "$ENGINE_JAR" ] || { echo "not installed: there is no $ENGINE_JAR"; return 1; }
  local j; for j in $LIBRARIES; do [ -e "/usr/share/java/$j.jar" ] || { echo "not installed: there is no /usr/share/java/$j.jar"; return 1; }; done
}

# Compiles unless the classes of exactly these sources stand there; safe when several start at once.
compile() {
  [ -s "$CLASSES/oracle/Oracle.class" ] && return 0
  command -v javac >/dev/null || { echo "not installed: no javac to compile $HERE/src"; return 1; }
  local new; new=$(mktemp -d "$HOME_DIR/compiling.XXXXXX") || return 1
  if find "$HERE/stubs" -name '*.java' -exec javac -nowarn -proc:none --release 17 -encoding UTF-8 -d "$new" {} + >"$new.out" 2>&1 &&
     javac -nowarn -proc:none --release 17 -encoding UTF-8 -cp "$CLASSPATH_ENGINE:$new" -d "$new" "$HERE"/src/oracle/*.java >>"$new.out" 2>&1; then
    chmod 755 "$new"; mv -T "$new" "$CLASSES" 2>/dev/null || rm -rf "$new"   # another one was faster: its classes are the same
    rm -f "$new.out"
  else
    echo "javac refused $HERE/src:"; cat "$new.out"; rm -rf "$new" "$new.out"; return 1
  fi
}

/*
 * What the leak checker finds in libraries of others and not in us: libfyaml
 * 0.7.12 loses a buffer of 4 KiB when a quoted key of many quotes breaks off.
 */
__attribute__((visibility("default"))) const char *
__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so\n";
}

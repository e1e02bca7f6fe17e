#pragma once
#include <errno.h>
#include <sysexits.h>
#include <unistd.h>
#include <vips/vips.h>

// The functions of libvips that Swift cannot call, as they take any number of options.

static inline void block_all_loaders_but(const char *const *loaders) {
    vips_operation_block_set("VipsForeignLoad", TRUE);
    for (; *loaders; loaders++) vips_operation_block_set(*loaders, FALSE);
}

static inline gint64 read_or_end(VipsSource *source, void *bytes, size_t count) {
    ssize_t got;
    do got = read(VIPS_CONNECTION(source)->descriptor, bytes, count);
    while (got < 0 && errno == EINTR);
    if (got < 0) _exit(EX_IOERR);
    return got;
}

// Ends the process where the system cannot read a picture, which loaders take for the picture's fault.
static inline void end_where_reading_fails(void) {
    VIPS_SOURCE_CLASS(g_type_class_ref(VIPS_TYPE_SOURCE))->read = read_or_end;
}

// Only its header is read. What is cut off or damaged fails when the pixels are.
static inline VipsImage *open_picture(VipsSource *source) {
    return vips_image_new_from_source(
        source, "", "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
}

struct wanted_size { int width, height; gboolean is_filled; };

// What is filled is enlarged where it must be.
#define SIZE(wanted) \
    (wanted).width, "height", (wanted).height, "size", (wanted).is_filled ? VIPS_SIZE_BOTH : VIPS_SIZE_DOWN, "crop", \
        (wanted).is_filled ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE

// The option `fail_on` is lost on the way, that string is not.
static inline int shrink_source(VipsSource *source, VipsImage **out, struct wanted_size size, gboolean has_profile) {
    if (!has_profile)
        return vips_thumbnail_source(source, out, SIZE(size), "option_string", "[fail_on=truncated]", NULL);
    return vips_thumbnail_source(
        source, out, SIZE(size), "option_string", "[fail_on=truncated]", "export_profile", "srgb", NULL);
}

static inline int shrink_image(VipsImage *in, VipsImage **out, struct wanted_size size) {
    return vips_thumbnail_image(in, out, SIZE(size), NULL);
}

static inline int to_colours_of_screens(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int to_bytes(VipsImage *in, VipsImage **out) { return vips_cast_uchar(in, out, NULL); }

// Against the white that JPEG copies have behind them.
static inline int without_alpha(VipsImage *in, VipsImage **out) {
    double white[] = {255};
    VipsArrayDouble *background = vips_array_double_new(white, 1);
    // vips_flatten takes the last band for alpha, whatever it is.
    int code = vips_image_hasalpha(in) ? vips_flatten(in, out, "background", background, NULL) : vips_copy(in, out, NULL);
    vips_area_unref(VIPS_AREA(background));
    return code;
}

// The averages of red, green and blue.
static inline int average_colours(VipsImage *in, double *averages) {
    VipsImage *flat = NULL, *stats = NULL;
    int code = without_alpha(in, &flat) || vips_stats(flat, &stats, NULL);
    // The mean is in the fifth column, of all bands in the first row.
    for (int band = 0; code == 0 && band < 3; band++)
        averages[band] = *VIPS_MATRIX(stats, 4, vips_image_get_bands(flat) < 3 ? 1 : band + 1);
    if (stats) g_object_unref(stats);
    if (flat) g_object_unref(flat);
    return code;
}

// The fonts of other scripts are not opened any more once the sandbox is locked. Returns whether there is one: else all
// letters are the same box.
static inline gboolean load_font(void) {
    VipsImage *narrow = NULL, *wide = NULL;
    gboolean is_there = vips_text(&narrow, "l", NULL) == 0 && vips_text(&wide, "W", NULL) == 0
        && vips_image_get_width(narrow) != vips_image_get_width(wide);
    if (narrow) g_object_unref(narrow);
    if (wide) g_object_unref(wide);
    vips_error_clear();
    return is_there;
}

// Draws white words on a dark strip at the lower edge.
static inline int add_caption(VipsImage *in, VipsImage **out, const char *markup) {
    int width = vips_image_get_width(in), height = vips_image_get_height(in), margin = 1 + height / 50;
    char font[32];
    snprintf(font, sizeof font, "sans %d", VIPS_MAX(8, height / 36));
    VipsImage *all = vips_image_new();
    VipsImage **made = (VipsImage **)vips_object_local_array(VIPS_OBJECT(all), 7);
    int code = vips_text(&made[0], markup, "font", font, "dpi", 72, "width", width - 2 * margin, NULL);
    int top = code ? 0 : VIPS_MAX(0, height - vips_image_get_height(made[0]) - 2 * margin);
    code = code || without_alpha(in, &made[1])
        || vips_extract_area(made[1], &made[2], 0, top, width, height - top, NULL)
        || vips_linear1(made[2], &made[3], .3, 0, "uchar", TRUE, NULL)
        || vips_insert(made[1], made[3], &made[4], 0, top, NULL)
        || vips_embed(made[0], &made[5], margin, top + margin, width, height, NULL)
        || vips_linear1(made[1], &made[6], 0, 255, "uchar", TRUE, NULL)
        || vips_ifthenelse(made[5], made[6], made[4], out, "blend", TRUE, NULL);
    g_object_unref(all);
    return code;
}

static inline int save_jpeg(VipsImage *in, void **bytes, size_t *count) {
    double white[] = {255};
    VipsArrayDouble *background = vips_array_double_new(white, 1);
    int code = vips_jpegsave_buffer(in, bytes, count, "Q", 82, "strip", TRUE, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    return code;
}

static inline int save_webp(VipsImage *in, void **bytes, size_t *count) {
    return vips_webpsave_buffer(in, bytes, count, "Q", 78, "effort", 3, "strip", TRUE, NULL);
}

static inline int save_png(VipsImage *in, void **bytes, size_t *count) {
    return vips_pngsave_buffer(in, bytes, count, "filter", VIPS_FOREIGN_PNG_FILTER_ALL, "strip", TRUE, NULL);
}

// Loads what the loader of AVIF loads when it is used for the first time.
static inline void use_avif_loader(const void *bytes, size_t count) {
    VipsImage *image = NULL;
    if (vips_heifload_buffer((void *)bytes, count, &image, NULL) == 0) g_object_unref(image);
    vips_error_clear();
}

static inline void release(void *object) { g_object_unref(object); }

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One triangle that covers the target, drawn again and again; compiled, uploaded and warmed up before anything is
 * measured. A round is a command buffer with the render pass alone, from its submission to its fence.
 */
#define _POSIX_C_SOURCE 199309L
#include "draw.h"

#include "vulkan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETS = 3, BINDINGS = 8, FIRST_BINDING = 64 /* docs/spirv.md: of pixel programs */ };

static vk_gpu gpu;

static const char vertex_text[] =
    "iridia-ir 1\nprogram vertex entry main\n"
    "input POSITION0: vec4<f32>\ninput TEXCOORD0: vec4<f32>\ninput TEXCOORD1: vec4<f32>\n"
    "output SV_Position0: vec4<f32> sv position\n"
    "output TEXCOORD0: vec4<f32>\noutput TEXCOORD1: vec4<f32>\n"
    "fn main {\n"
    "  %0: vec4<f32> = input 0.xyzw\n"
    "  %1: vec4<f32> = input 1.xyzw\n"
    "  %2: vec4<f32> = input 2.xyzw\n"
    "  output 0.xyzw, %0\n  output 1.xyzw, %1\n  output 2.xyzw, %2\n"
    "  return\n}\n";

/* What a scene needs on the device. */
typedef struct drawing {
    const draw_scene *scene;
    VkShaderModule vertex, pixel;
    VkDescriptorSetLayout sets[SETS];
    VkPipelineLayout layout;
    VkDescriptorPool descriptors;
    VkDescriptorSet bound[SETS];
    VkSampler sampler;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkPipeline pipeline;
    VkQueryPool queries;
    vk_buffer vertices, constants;
    vk_image target, texture;
} drawing;

static VkFormat format_of(const draw_scene *s)
{
    return s->bytes ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R32G32B32A32_SFLOAT;
}

/* ---- shaders ---- */

static VkShaderModule write_module(const iri_program *p, const iri_program *linked)
{
    iri_text words;
    iri_refusal why;
    if (iri_write_spirv(p, IRI_SPIRV_OPTIONS(.linked_pixel = linked), &words, NULL, &why) !=
        IRI_OK) {
        fprintf(stderr, "spirv: %s\n", why.reason);
        exit(1);
    }
    VkShaderModule module = vk_make_module(&gpu, words.data, words.size);
    iri_text_free(&words);
    return module;
}

static void make_modules(drawing *d)
{
    iri_program *vertex;
    iri_refusal why;
    if (iri_parse_text(vertex_text, strlen(vertex_text), NULL, &vertex, &why) != IRI_OK ||
        iri_validate(vertex, IRI_CAN_ALL, NULL, &why) != IRI_OK) {
        fprintf(stderr, "line %u: %s\n", (unsigned)why.line, why.reason);
        exit(1);
    }
    d->vertex = write_module(vertex, d->scene->pixel);
    d->pixel = write_module(d->scene->pixel, NULL);
    iri_program_free(vertex);
}

/* ---- resources ---- */

static size_t level_texels(const iri_exec_texture *t, uint32_t level)
{
    uint32_t width = t->width >> level, height = t->height >> level;
    return (size_t)(width ? width : 1) * (height ? height : 1);
}

/* The texture's texels as the image has them. */
static vk_buffer stage_texels(const draw_scene *s)
{
    size_t words = iri_exec_texture_words(s->texture);
    const float *texels = s->texture->texels;
    vk_buffer staging = vk_make_buffer(&gpu, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                       s->bytes ? NULL : texels, words * (s->bytes ? 1 : 4));
    for (size_t i = 0; s->bytes && i < words; i++)
        ((uint8_t *)staging.mapped)[i] = (uint8_t)(texels[i] * 255.0f + 0.5f);
    return staging;
}

static void upload_texture(drawing *d)
{
    const iri_exec_texture *t = d->scene->texture;
    vk_buffer staging = stage_texels(d->scene);
    d->texture = vk_make_image(&gpu, format_of(d->scene), t->width, t->height, t->levels,
                               VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commands = vk_begin(&gpu);
    vk_transition(commands, d->texture.image, t->levels, VK_IMAGE_LAYOUT_UNDEFINED,
                  VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkDeviceSize at = 0;
    for (uint32_t level = 0; level < t->levels; level++) {
        uint32_t width = t->width >> level, height = t->height >> level;
        VkBufferImageCopy copy = {.bufferOffset = at,
                                  .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                                  .imageExtent = {width ? width : 1, height ? height : 1, 1}};
        vkCmdCopyBufferToImage(commands, staging.buffer, d->texture.image,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
        at += level_texels(t, level) * (d->scene->bytes ? 4 : 16);
    }
    vk_transition(commands, d->texture.image, t->levels, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    vk_end(commands);
    vk_submit(&gpu, commands);
    vk_free_buffer(&gpu, &staging);
}

static void make_sampler(drawing *d)
{
    const iri_sampler *s = d->scene->sampler;
    VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = s->mag_filter == IRI_FILTER_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
        .minFilter = s->min_filter == IRI_FILTER_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
        .mipmapMode = s->mip_filter == IRI_MIP_LINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                      : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .maxLod = s->mip_filter == IRI_MIP_NONE ? 0 : VK_LOD_CLAMP_NONE};
    VK_MUST(vkCreateSampler(gpu.device, &info, NULL, &d->sampler));
}

static VkDescriptorType type_of_set(uint32_t set)
{
    static const VkDescriptorType types[SETS] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                                 VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                                 VK_DESCRIPTOR_TYPE_SAMPLER};
    return types[set];
}

/* Constants, textures and samplers in sets of their own; every register has the same one. */
static void bind_resources(drawing *d)
{
    VkDescriptorPoolSize sizes[SETS];
    VkDescriptorBufferInfo buffer = {d->constants.buffer, 0, VK_WHOLE_SIZE};
    VkDescriptorImageInfo image = {d->sampler, d->texture.view,
                                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    for (uint32_t set = 0; set < SETS; set++) {
        VkDescriptorSetLayoutBinding bindings[BINDINGS];
        for (uint32_t i = 0; i < BINDINGS; i++)
            bindings[i] = (VkDescriptorSetLayoutBinding){FIRST_BINDING + i, type_of_set(set), 1,
                                                         VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
        VkDescriptorSetLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = BINDINGS,
            .pBindings = bindings};
        VK_MUST(vkCreateDescriptorSetLayout(gpu.device, &info, NULL, &d->sets[set]));
        sizes[set] = (VkDescriptorPoolSize){type_of_set(set), BINDINGS};
    }
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = SETS,
                                       .poolSizeCount = SETS,
                                       .pPoolSizes = sizes};
    VK_MUST(vkCreateDescriptorPool(gpu.device, &pool, NULL, &d->descriptors));
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = d->descriptors,
                                            .descriptorSetCount = SETS,
                                            .pSetLayouts = d->sets};
    VK_MUST(vkAllocateDescriptorSets(gpu.device, &allocate, d->bound));
    for (uint32_t set = 0; set < SETS; set++)
        for (uint32_t i = 0; i < BINDINGS; i++) {
            VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = d->bound[set],
                                          .dstBinding = FIRST_BINDING + i,
                                          .descriptorCount = 1,
                                          .descriptorType = type_of_set(set),
                                          .pImageInfo = &image,
                                          .pBufferInfo = &buffer};
            vkUpdateDescriptorSets(gpu.device, 1, &write, 0, NULL);
        }
}

/* The triangle (-1, 1), (3, 1), (-1, -3) in y up, whose first corner is the target's upper left. */
static void make_vertices(drawing *d)
{
    const draw_scene *s = d->scene;
    static const float corners[3][4] = {{-1, 1, 0, 1}, {3, 1, 0, 1}, {-1, -3, 0, 1}};
    float vertices[3][3][4];
    for (uint32_t v = 0; v < 3; v++) {
        /* Pixel (x, y) has its centre at (x + 1/2, y + 1/2). */
        float x = v == 1 ? 2 * (float)s->width - 0.5f : -0.5f;
        float y = v == 2 ? 2 * (float)s->height - 0.5f : -0.5f;
        memcpy(vertices[v][0], corners[v], sizeof corners[v]);
        for (uint32_t k = 0; k < 8; k++) {
            const float *plane = s->varyings[k / 4][k % 4];
            vertices[v][1 + k / 4][k % 4] = x * plane[0] + y * plane[1] + plane[2];
        }
    }
    d->vertices =
        vk_make_buffer(&gpu, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices, sizeof vertices);
}

/* ---- the pipeline ---- */

static void make_pass(drawing *d)
{
    VkAttachmentDescription colour = {.format = format_of(d->scene),
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                      .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                      .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &reference};
    VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &colour,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass};
    VK_MUST(vkCreateRenderPass(gpu.device, &pass, NULL, &d->pass));
    VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = d->pass,
                                           .attachmentCount = 1,
                                           .pAttachments = &d->target.view,
                                           .width = d->scene->width,
                                           .height = d->scene->height,
                                           .layers = 1};
    VK_MUST(vkCreateFramebuffer(gpu.device, &framebuffer, NULL, &d->framebuffer));
}

static void make_pipeline(drawing *d)
{
    const draw_scene *s = d->scene;
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = SETS,
                                         .pSetLayouts = d->sets};
    VK_MUST(vkCreatePipelineLayout(gpu.device, &layout, NULL, &d->layout));
    VkPipelineShaderStageCreateInfo stages[2] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = d->vertex,
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = d->pixel,
         .pName = "main"}};
    VkVertexInputBindingDescription binding = {0, 48, VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attributes[3];
    for (uint32_t i = 0; i < 3; i++)
        attributes[i] =
            (VkVertexInputAttributeDescription){i, 0, VK_FORMAT_R32G32B32A32_SFLOAT, i * 16};
    VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = 3,
        .pVertexAttributeDescriptions = attributes};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkViewport viewport = {0, (float)s->height, (float)s->width, -(float)s->height, 0,
                           1}; /* y up */
    VkRect2D scissor = {{0, 0}, {s->width, s->height}};
    VkPipelineViewportStateCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendAttachmentState write = {.colorWriteMask = 15};
    VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &write};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .stageCount = 2,
                                         .pStages = stages,
                                         .pVertexInputState = &input,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &view,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         .pColorBlendState = &blend,
                                         .layout = d->layout,
                                         .renderPass = d->pass};
    VK_MUST(vkCreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, &info, NULL, &d->pipeline));
}

static void build(drawing *d)
{
    const draw_scene *s = d->scene;
    make_modules(d);
    make_sampler(d);
    upload_texture(d);
    d->constants =
        vk_make_buffer(&gpu, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, s->constants, s->constant_size);
    d->target =
        vk_make_image(&gpu, format_of(s), s->width, s->height, 1,
                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    bind_resources(d);
    make_vertices(d);
    make_pass(d);
    make_pipeline(d);
    VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = 2};
    VK_MUST(vkCreateQueryPool(gpu.device, &queries, NULL, &d->queries));
}

static void tear_down(drawing *d)
{
    vkDestroyQueryPool(gpu.device, d->queries, NULL);
    vkDestroyPipeline(gpu.device, d->pipeline, NULL);
    vkDestroyPipelineLayout(gpu.device, d->layout, NULL);
    vkDestroyFramebuffer(gpu.device, d->framebuffer, NULL);
    vkDestroyRenderPass(gpu.device, d->pass, NULL);
    vkDestroyDescriptorPool(gpu.device, d->descriptors, NULL);
    for (uint32_t set = 0; set < SETS; set++)
        vkDestroyDescriptorSetLayout(gpu.device, d->sets[set], NULL);
    vkDestroySampler(gpu.device, d->sampler, NULL);
    vkDestroyShaderModule(gpu.device, d->vertex, NULL);
    vkDestroyShaderModule(gpu.device, d->pixel, NULL);
    vk_free_image(&gpu, &d->target);
    vk_free_image(&gpu, &d->texture);
    vk_free_buffer(&gpu, &d->vertices);
    vk_free_buffer(&gpu, &d->constants);
}

/* ---- drawing ---- */

static VkCommandBuffer record(const drawing *d)
{
    const draw_scene *s = d->scene;
    VkCommandBuffer commands = vk_begin(&gpu);
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = d->pass,
                                   .framebuffer = d->framebuffer,
                                   .renderArea = {{0, 0}, {s->width, s->height}}};
    VkDeviceSize offset = 0;
    vkCmdResetQueryPool(commands, d->queries, 0, 2);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, d->queries, 0);
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, d->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, d->layout, 0, SETS, d->bound,
                            0, NULL);
    vkCmdBindVertexBuffers(commands, 0, 1, &d->vertices.buffer, &offset);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, d->queries, 1);
    vk_end(commands);
    return commands;
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void read_back(const drawing *d, float *picture)
{
    const draw_scene *s = d->scene;
    size_t size = (size_t)s->width * s->height * 16;
    vk_buffer buffer = vk_make_buffer(&gpu, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL, size);
    VkCommandBuffer commands = vk_begin(&gpu);
    VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                              .imageExtent = {s->width, s->height, 1}};
    vkCmdCopyImageToBuffer(commands, d->target.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           buffer.buffer, 1, &copy);
    vk_end(commands);
    vk_submit(&gpu, commands);
    memcpy(picture, buffer.mapped, size);
    vk_free_buffer(&gpu, &buffer);
}

bool draw_open(char name[256], const char **why)
{
    if (!vk_open(&gpu, why))
        return false;
    memcpy(name, gpu.properties.deviceName, 256);
    return true;
}

draw_times draw_measure(const draw_scene *scene, float *picture)
{
    drawing d = {.scene = scene};
    draw_times best = {1e30, 1e30, 1e30};
    build(&d);
    VkCommandBuffer commands = record(&d);
    for (uint32_t i = 0; i < 3; i++)
        vk_submit(&gpu, commands);
    for (uint32_t i = 0; i < scene->rounds; i++) {
        uint64_t stamps[2];
        double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        vk_submit(&gpu, commands);
        best.cpu = least(best.cpu, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        best.wall = least(best.wall, seconds(CLOCK_MONOTONIC) - wall);
        VK_MUST(vkGetQueryPoolResults(gpu.device, d.queries, 0, 2, sizeof stamps, stamps,
                                      sizeof *stamps,
                                      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        best.timestamps = least(best.timestamps, (double)(stamps[1] - stamps[0]) * 1e-9 *
                                                     (double)gpu.properties.limits.timestampPeriod);
    }
    if (picture && !scene->bytes)
        read_back(&d, picture);
    tear_down(&d);
    return best;
}

void draw_close(void)
{
    vk_close(&gpu);
}
